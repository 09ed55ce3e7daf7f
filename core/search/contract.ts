import { z } from 'zod'
import { endpoint } from '../contract/endpoint.ts'
import { words } from '../errors.ts'

export const HIT_KINDS = ['user', 'channel', 'token', 'team', 'model', 'call'] as const

/** An object that matches a text. */
export const SearchResultRow = z.object({
  kind: z.enum(HIT_KINDS),
  /** Name of a model, request id of a call, id of anything else. */
  id: z.string(),
  name: z.string(),
  /** A text that distinguishes it from others with the same name. */
  line: z.string(),
  /** Position of the match: 0 for the whole text, 1 at its beginning, 2 elsewhere. */
  rank: z.number(),
})
z.globalRegistry.add(SearchResultRow, { id: 'SearchHit' })
export type SearchResultRow = z.infer<typeof SearchResultRow>

const MOST_HITS = 20

export const searchContract = {
  find: endpoint({
    method: 'GET',
    path: '/api/search',
    access: 'user',
    scope: 'read',
    limit: 'search',
    summary: words(
      'Users, channels, tokens, teams, models and calls by a text, the best of each kind; to users what is theirs',
    ),
    query: z.object({
      text: z.string().trim().max(200).default(''),
      limit: z.coerce.number().int().min(1).max(MOST_HITS).default(5),
    }),
    reply: z.array(SearchResultRow),
  }),
}
