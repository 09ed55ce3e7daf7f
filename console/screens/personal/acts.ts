// Acts of the command palette on the user's account.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'personal.password',
      title: (t) => t('Change password'),
      access: 'user',
      run: (go) => go('/personal', 'password'),
    },
    {
      key: 'personal.accessToken',
      title: (t) => t('Create access token'),
      access: 'user',
      run: (go) => go('/personal', 'access token'),
    },
    {
      key: 'personal.sessions',
      title: (t) => t('See where I am signed in'),
      access: 'user',
      run: (go) => go('/personal#sessions'),
    },
  ],
})
