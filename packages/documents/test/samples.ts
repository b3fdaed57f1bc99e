import {
  Document,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
} from 'docx';
import Excel from 'exceljs';
import JSZip from 'jszip';
import Pdf from 'pdfkit';

// Documents made by libraries other than those that read them.

/** A PDF file with a page for each list of lines. */
export function pdf(
  pages: readonly (readonly string[])[],
  options: PDFKit.PDFDocumentOptions = {},
): Promise<Buffer> {
  const document = new Pdf({ autoFirstPage: false, size: [600, 2000], ...options });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  for (const lines of pages) {
    document.addPage();
    for (const line of lines) document.text(line);
  }
  document.end();
  return new Promise((resolve) => document.on('end', () => resolve(Buffer.concat(chunks))));
}

/** A Word file with a heading, lists, a table, a link and a footnote. */
export function report(): Promise<Buffer> {
  const cells = (...texts: readonly string[]) =>
    new TableRow({ children: texts.map((text) => new TableCell({ children: [new Paragraph(text)] })) });
  return word({
    footnotes: { 1: { children: [new Paragraph('In euros.')] } },
    sections: [
      {
        children: [
          new Paragraph({ text: 'Report', heading: HeadingLevel.TITLE }),
          new Paragraph({ text: 'Prices', heading: HeadingLevel.HEADING_2 }),
          new Paragraph({
            children: [
              new TextRun('They are '),
              new TextRun({ text: 'low', bold: true }),
              new FootnoteReferenceRun(1),
              new TextRun({ text: '.', break: 1 }),
            ],
          }),
          new Paragraph({ text: 'first', bullet: { level: 0 } }),
          new Paragraph({ text: 'inside', bullet: { level: 1 } }),
          new Table({ rows: [cells('Name', 'Price'), cells('Widget', '9.99')] }),
          new Paragraph({
            children: [
              new ExternalHyperlink({ link: 'https://example.com/', children: [new TextRun('Source')] }),
            ],
          }),
        ],
      },
    ],
  });
}

export function word(options: ConstructorParameters<typeof Document>[0]): Promise<Buffer> {
  return Packer.toBuffer(new Document(options));
}

/** A Word file with a paragraph for each text. */
export function paragraphs(...texts: readonly string[]): Promise<Buffer> {
  return word({ sections: [{ children: texts.map((text) => new Paragraph(text)) }] });
}

/** An Excel file with sheets of rows; the sheet "Hidden" is hidden. */
export async function excel(
  sheets: Readonly<Record<string, readonly (readonly Excel.CellValue[])[]>>,
): Promise<Buffer> {
  const workbook = new Excel.Workbook();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = workbook.addWorksheet(name, { state: name === 'Hidden' ? 'hidden' : 'visible' });
    for (const row of rows) sheet.addRow([...row]);
  }
  return Buffer.from(await workbook.xlsx.writeBuffer());
}

/** Changes a zip file: the texts of some entries, or undefined to remove one. */
export async function changed(
  bytes: Uint8Array,
  entries: Readonly<Record<string, string | undefined | ((text: string) => string)>>,
): Promise<Buffer> {
  const zip = await JSZip.loadAsync(bytes);
  for (const [name, change] of Object.entries(entries)) {
    if (change === undefined) zip.remove(name);
    else zip.file(name, typeof change === 'string' ? change : change(await zip.file(name)!.async('string')));
  }
  return zip.generateAsync({ type: 'nodebuffer', compression: 'DEFLATE' });
}
