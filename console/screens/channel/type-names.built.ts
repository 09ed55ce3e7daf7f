// The names of the channel types of Weir, for which the page of a channel makes no request.
import { allProviders } from '../../../core/providers/index.ts'

export const typeNames = allProviders.map(({ type, id, name }) => ({ type, id, name }))
