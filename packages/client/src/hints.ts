/** Why a response couldn't be used to authenticate, for the error that is created from it. */
export const hints = new WeakMap<Response, string>()
