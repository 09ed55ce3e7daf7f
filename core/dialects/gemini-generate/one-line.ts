// JSON for one line of an event: Python's readers of lines break them at letters that JSON may hold as they are.

const LINE_ENDS = /[\u0085\u2028\u2029]/g

/** The same JSON without letters that end a line anywhere. */
export const oneLine = (json: string): string =>
  json.replace(LINE_ENDS, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
