// Searches that another vendor made, told in Anthropic's words: what they found is sealed by nobody, so that Anthropic would
// refuse it in a history.
import { asText, type JsonObject } from '../json-value.ts'

/** How the ids of Anthropic's searches begin, and those of other vendors'. */
export const OWN_SEARCH = 'srvtoolu_'
export const FOREIGN_SEARCH = `${OWN_SEARCH}weir_`

/** Is the block the call of such a search, or what it found? */
export const isForeignSearch = ({ type, id, tool_use_id }: JsonObject): boolean =>
  (type === 'server_tool_use' && isForeign(id)) || (type === 'web_search_tool_result' && isForeign(tool_use_id))

const isForeign = (id: unknown): boolean => asText(id)?.startsWith(FOREIGN_SEARCH) ?? false
