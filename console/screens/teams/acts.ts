// Acts of the command palette on teams.
import { declareActs } from '../act.ts'

export const declaration = declareActs({
  opens: { team: () => '/teams' },
  acts: [
    {
      key: 'teams.create',
      title: (t) => t('Add team'),
      access: 'user',
      run: (go) => go('/teams', 'create'),
    },
  ],
})
