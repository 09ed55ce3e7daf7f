// The models that search for every prompt: the results are part of their prompt.

const SEARCHES = /search|sonar/

/** Returns true if the model always searches. */
export const searchesByItself = (model: string): boolean => SEARCHES.test(model)
