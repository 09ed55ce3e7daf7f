// AI Proxy's knowledge bases: one for each channel.
import { words } from '../errors.ts'
import { libraryAskDialect } from '../dialects/provider-only/library-ask.ts'
import { API_KEY_LABEL, requireOther, provider } from './provider.ts'

const LIBRARY = words('Knowledge base id')

export const aiproxyLibrary = provider({
  type: 21,
  id: 'aiproxy-library',
  name: 'AI Proxy knowledge base',
  base_url: 'https://api.aiproxy.io',
  chat: [
    {
      dialect: libraryAskDialect,
      path: '/api/library/ask',
      adapt: (_, __, ___, channel) => ({ defaults: { libraryId: requireOther(channel, LIBRARY) } }),
    },
  ],
  fields: {
    key: { label: API_KEY_LABEL, required: true },
    other: { label: LIBRARY, help: words('Id of the library'), required: true },
  },
})
