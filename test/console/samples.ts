// Values that all samples of the console's tests share.

export const NOW = 1_790_000_000

/** Fields that are not named here get the plainest value of their schema. */
export type Sample<T, K extends keyof T> = Partial<T> & Pick<T, K>

/** A list whose rows stand bare, with what stands beside them. */
export const listed = <T>(data: T[], total = data.length) => ({ data, beside: { total, next_cursor: '' } })

/** A list that answers with its pages. */
export const page = <T>(items: T[]) => ({ items, page: 1, page_size: 10, total: items.length })
