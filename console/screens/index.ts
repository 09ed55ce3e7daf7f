// All screens: every folder here with a screen.ts.
import { MENU_GROUPS, type Screen } from './screen.ts'

/** Returns every screen, in the order of the menu. */
export const allScreens = (): Screen[] => {
  const modules = import.meta.glob<{ declaration: Screen }>('./*/screen.ts', { eager: true })
  return Object.values(modules)
    .map((module) => module.declaration)
    .sort((a, b) => place(a) - place(b))
}

const place = ({ menu }: Screen) =>
  menu ? MENU_GROUPS.indexOf(menu.group) * 1000 + menu.order : Number.MAX_SAFE_INTEGER
