// The models that search for every prompt: the results are part of their prompt.

const SEARCHES = /search|sonar/

/** Does it search by itself? */
export const searchesByItself = (model: string): boolean => SEARCHES.test(model)
