// Acts of the command palette on a key.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'keys.use',
      title: { en: 'Connect a client', zh: '连接客户端' },
      access: 'user',
      run: (go) => go('/keys'),
    },
  ],
})
