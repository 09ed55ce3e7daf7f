// Models that look things up whatever they are asked: what they find is part of their prompt.

const SEARCHES = /search|sonar/

/** Does it search by itself? */
export const searchesByItself = (model: string): boolean => SEARCHES.test(model)
