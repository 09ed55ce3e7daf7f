// Acts of the command palette on tokens.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  opens: { token: ({ name }) => `/token?keyword=${encodeURIComponent(name)}` },
  acts: [
    {
      key: 'tokens.create',
      title: (t) => t('Create token'),
      access: 'user',
      run: (go) => go('/token', 'create'),
    },
  ],
})
