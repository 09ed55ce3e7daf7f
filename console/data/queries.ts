// What was read from the server, kept while somebody may look at it again.
import { QueryClient } from '@tanstack/react-query'

/** Ms for which what was read is shown again without asking. */
const FRESH = 15_000

export const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: FRESH, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
  },
})
