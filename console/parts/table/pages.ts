// The page numbers below a list.

/** Returns the first and last page and those around this one; null marks a gap. */
export function listPageNumbers(page: number, last: number): (number | null)[] {
  const pages = [...new Set([1, page - 1, page, page + 1, last])].filter((each) => each >= 1 && each <= last)
  return pages
    .sort((a, b) => a - b)
    .flatMap((each, index, all) => {
      const gap = each - (all[index - 1] ?? each - 1)
      return gap === 1 ? [each] : gap === 2 ? [each - 1, each] : [null, each]
    })
}
