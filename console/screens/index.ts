// All screens: every folder here with a screen.ts. The page of a screen is loaded together with its texts.
import { matchRoutes } from 'react-router'
import { routerBasePath } from '../data/base.ts'
import { loadTexts } from '../data/texts.tsx'
import { listPaths, MENU_GROUPS, type ScreenDeclaration } from './screen.ts'

/** Returns the declarations with the names of their folders. */
const listDeclarations = (): [name: string, ScreenDeclaration][] => {
  const modules = import.meta.glob<{ declaration: ScreenDeclaration }>('./*/screen.ts', { eager: true })
  return Object.entries(modules).map(([path, { declaration }]) => [path.split('/')[1]!, declaration])
}

/** Returns every screen, in the order of the menu. */
export const listAllScreens = (): ScreenDeclaration[] =>
  listDeclarations()
    .map(([name, declaration]) => withTexts(declaration, name))
    .sort((a, b) => place(a) - place(b))

/** Returns the name of the screen that the page's address leads to. */
export function findFirstScreen(): string {
  const routes = listDeclarations().flatMap(([id, declared]) => listPaths(declared).map((path) => ({ id, path })))
  return matchRoutes(routes, window.location, routerBasePath)?.at(-1)?.route.id ?? 'not-found'
}

const withTexts = (declaration: ScreenDeclaration, name: string): ScreenDeclaration => ({
  ...declaration,
  async load() {
    const [page] = await Promise.all([declaration.load(), loadTexts(name)])
    return page
  },
})

const place = ({ menu }: ScreenDeclaration) =>
  menu ? MENU_GROUPS.indexOf(menu.group) * 1000 + menu.order : Number.MAX_SAFE_INTEGER
