// All screens: every folder here with a screen.ts. The page of a screen is loaded together with its texts.
import { loadTexts } from '../data/texts.tsx'
import { rooms } from './rooms.built.ts'
import { MENU_GROUPS, type ScreenDeclaration } from './screen.ts'

/** Returns every screen, in the order of the menu. */
export const listAllScreens = (): ScreenDeclaration[] => {
  const modules = import.meta.glob<{ declaration: ScreenDeclaration }>('./*/screen.ts', { eager: true })
  return Object.entries(modules)
    .map(([path, { declaration }]) => withTexts(declaration, path.split('/')[1]!))
    .sort((a, b) => place(a) - place(b))
}

const withTexts = (declaration: ScreenDeclaration, name: string): ScreenDeclaration => ({
  ...declaration,
  async load() {
    const [page] = await Promise.all([declaration.load(), loadTexts(...(rooms[name] ?? []))])
    return page
  },
})

const place = ({ menu }: ScreenDeclaration) =>
  menu ? MENU_GROUPS.indexOf(menu.group) * 1000 + menu.order : Number.MAX_SAFE_INTEGER
