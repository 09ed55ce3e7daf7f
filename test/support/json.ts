/** The parsed body of somebody else: a test looks wherever it likes, and fails where nothing is. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Json = any
