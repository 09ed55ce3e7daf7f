// The acts of the palette that every page has.
import { apiClient } from '../data/client.ts'
import { loadConsolePath } from '../data/base.ts'
import { storedPreferences } from '../data/preferences.ts'
import { getLanguageName } from '../data/texts.tsx'
import { finishDeletions } from '../parts/overlay/undo.ts'
import { declareActs } from '../screens/act.ts'
import { showShortcutList, showTerminal } from '../parts/commands.ts'

export const declaration = declareActs({
  acts: [
    {
      key: 'shell.light',
      title: (t) => t('Switch to light'),
      access: 'public',
      run: () => storedPreferences.theme.write('light'),
    },
    {
      key: 'shell.dark',
      title: (t) => t('Switch to dark'),
      access: 'public',
      run: () => storedPreferences.theme.write('dark'),
    },
    {
      key: 'shell.en',
      title: (t) => t('Switch language: {name}', { name: getLanguageName('en') }),
      access: 'public',
      run: () => storedPreferences.language.write('en'),
    },
    {
      key: 'shell.zh',
      title: (t) => t('Switch language: {name}', { name: getLanguageName('zh') }),
      access: 'public',
      run: () => storedPreferences.language.write('zh'),
    },
    {
      key: 'shell.keys',
      title: (t) => t('Show keyboard shortcuts'),
      access: 'public',
      run: showShortcutList,
    },
    {
      key: 'shell.terminal',
      title: (t) => t('The same in the terminal'),
      access: 'user',
      run: showTerminal,
    },
    {
      key: 'shell.logout',
      title: (t) => t('Log out'),
      access: 'user',
      async run() {
        await finishDeletions()
        await apiClient.auth.logout()
        storedPreferences.user.remove()
        loadConsolePath('/login')
      },
    },
  ],
})
