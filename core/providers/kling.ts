// Kling: video, as tasks only. Servers in China are at https://api-beijing.klingai.com. The key has two parts, from
// which a token is made, by "General Information" of https://app.klingai.com/global/dev/document-api.
import { klingFilmTasks } from '../dialects/tasks/kling.ts'
import { words } from '../errors.ts'
import { hasKeyParts, names, provider } from './provider.ts'

export const kling = provider({
  type: 50,
  id: 'kling',
  name: 'Kling',
  base_url: 'https://api-singapore.klingai.com',
  models: names('kling-v3, kling-v3-omni, kling-video-o1, kling-v2-6, kling-v2-5-turbo'),
  tasks: [{ dialect: klingFilmTasks }],
  env: 'KLING_API_KEY',
  hasKeyForm: hasKeyParts(2),
  authorize: async ({ key }, _, { signer }) => ({ authorization: `Bearer ${await signer.kling(key)}` }),
  fields: {
    key: {
      label: words('Access key and secret key'),
      placeholder: 'access|secret',
      required: true,
    },
  },
})
