/** Why a document is not read: a sentence without its subject, which is the name of the document. */
export class Refusal extends Error {}
