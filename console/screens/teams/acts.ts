// What the palette can do with teams.
import { brings } from '../act.ts'

export const declaration = brings({
  opens: { team: () => '/teams' },
  acts: [
    {
      key: 'teams.create',
      title: { en: 'Add team', zh: '创建团队' },
      access: 'user',
      run: (go) => go('/teams', 'create'),
    },
  ],
})
