// A cache of data read from the server.
import { QueryClient } from '@tanstack/react-query'

/** Time for which data is shown again without a new request, in ms. */
const FRESH = 15_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: FRESH, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
  },
})
