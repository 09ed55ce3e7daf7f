// Acts of the command palette on tokens.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  opens: { token: ({ name }) => `/token?keyword=${encodeURIComponent(name)}` },
  acts: [
    {
      key: 'tokens.create',
      title: { en: 'Create token', zh: '创建令牌' },
      access: 'user',
      run: (go) => go('/token', 'create'),
    },
  ],
})
