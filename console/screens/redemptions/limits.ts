// The server's limits on codes, checked before a request is sent.
export const MAX_NAME = 20
export const MAX_COUNT = 100

export const isCodeName = (name: string) => name.trim() !== '' && [...name.trim()].length <= MAX_NAME
export const isCodeCount = (count: number) => Number.isInteger(count) && count >= 1 && count <= MAX_COUNT
