// Kling: video, which is tasks and no calls. Servers in China are at https://api-beijing.klingai.com. The key is two parts,
// of which a token is made, as "General Information" of https://app.klingai.com/global/dev/document-api says.
import { words } from '../errors.ts'
import { provider } from './provider.ts'

export const kling = provider({
  type: 50,
  id: 'kling',
  name: 'Kling',
  base_url: 'https://api-singapore.klingai.com',
  models: [],
  env: 'KLING_API_KEY',
  authorize: async ({ key }, _, { signer }) => ({ authorization: `Bearer ${await signer.kling(key)}` }),
  fields: {
    key: {
      label: words('Access key and secret key', 'Access Key 与 Secret Key'),
      placeholder: 'access|secret',
      required: true,
    },
  },
})
