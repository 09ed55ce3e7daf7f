// Writes searches of another vendor in Anthropic's format. Their results are not encrypted by Anthropic, which would
// refuse them in a history.
import { asText, type JsonObject } from '../json/json-value.ts'

/** Id prefixes of Anthropic's searches and of other vendors' searches. */
export const OWN_SEARCH_PREFIX = 'srvtoolu_'
export const FOREIGN_SEARCH_PREFIX = `${OWN_SEARCH_PREFIX}weir_`

/** Is the block the call or the result of a foreign search? */
export const isForeignSearch = ({ type, id, tool_use_id }: JsonObject): boolean =>
  (type === 'server_tool_use' && isForeign(id)) || (type === 'web_search_tool_result' && isForeign(tool_use_id))

const isForeign = (id: unknown): boolean => asText(id)?.startsWith(FOREIGN_SEARCH_PREFIX) ?? false
