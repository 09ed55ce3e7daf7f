// Acts of the command palette on a key.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'keys.use',
      title: (t) => t('Connect a client'),
      access: 'user',
      run: (go) => go('/keys'),
    },
  ],
})
