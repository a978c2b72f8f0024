/** A row that should be the only one of its key was there already. */
export class DuplicateError extends Error {}

/** The database does not answer, is full or may not be written: worth trying again later. */
export class UnavailableError extends Error {}

/** The transaction lost against another one and changed nothing: worth running again at once. */
export class ConflictError extends Error {}
