// Paging: what lists accept and return. Each list says itself where it begins to count and what it calls its pages.
import { z } from 'zod'

export const DEFAULT_PAGE_SIZE = 10
export const MAX_PAGE_SIZE = 100

const size = z.coerce
  .number()
  .catch(DEFAULT_PAGE_SIZE)
  .default(DEFAULT_PAGE_SIZE)
  .transform((n) => (Number.isInteger(n) && n > 0 ? Math.min(n, MAX_PAGE_SIZE) : DEFAULT_PAGE_SIZE))

const page = z.coerce
  .number()
  .catch(0)
  .default(0)
  .transform((n) => (Number.isInteger(n) && n > 0 ? n : 0))

/** Lists that count pages from 1 and return `{items, page, page_size, total}`; page 0 is the first page too. */
export const pageQuery = { p: page, page_size: size }

/** Lists that count pages from 0 and return a bare array. */
export const arrayQuery = { p: page, page_size: size }

/** The token list: pages from 0, and its size is called `size`. */
export const tokenPageQuery = { p: page, size }

/** The object reply of a paged list. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), page: z.number(), page_size: z.number(), total: z.number() })

/** Which rows of a list to read. */
export interface Slice {
  offset: number
  limit: number
}

/** Rows and how many there are in all. */
export interface Page<T> {
  items: T[]
  total: number
}

/** The slice of a list that counts its pages from 1. */
export const sliceFromOne = ({ p, page_size }: { p: number; page_size: number }): Slice => ({
  offset: Math.max(0, p - 1) * page_size,
  limit: page_size,
})

/** The slice of a list that counts its pages from 0. */
export const sliceFromZero = (p: number, limit: number): Slice => ({ offset: p * limit, limit })

/** A page in the shape of `pageOf`. */
export const asPage = <T>(query: { p: number; page_size: number }, { items, total }: Page<T>) => ({
  items,
  total,
  page: Math.max(1, query.p),
  page_size: query.page_size,
})
