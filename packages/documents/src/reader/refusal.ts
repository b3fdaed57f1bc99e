/** Why a document is not read: a sentence without its subject, which is the document's name. */
export class Refusal extends Error {}
