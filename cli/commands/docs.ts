// `weir docs`: the reference pages, made from the declarations.
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fillTemplate, joinList } from '../../core/errors.ts'
import { command, findSingular, type CommandEntry, type CommandEnvironment } from '../command.ts'
import { UsageError } from '../failure.ts'
import { asUntranslatedText, concatTexts } from '../language.ts'
import { referenceTopics, type ReferencePage } from '../reference/page.ts'
import type { ReferenceHit } from '../reference/search.ts'
import { suggestNames } from '../nouns/names.ts'
import { words } from '../texts.ts'
import { count, list, text, type OutputView } from '../output/view.ts'

const pageView: OutputView<Pick<ReferencePage, 'topic' | 'summary'>> = {
  topic: text(words('TOPIC'), 1, ({ topic }) => topic, { tone: () => 'strong' }),
  summary: text(words('CONTENT'), 1, ({ summary }) => summary.en, {
    flexible: true,
    shown: ({ summary }, { language }) => summary[language],
  }),
}

const hitView: OutputView<ReferenceHit> = {
  topic: text(words('TOPIC'), 2, ({ topic }) => topic, { tone: () => 'strong' }),
  heading: text(words('UNDER'), 1, ({ heading }) => heading, { flexible: true }),
  line: count(words('LINE'), 3, ({ line }) => line),
  text: text(words('TEXT'), 1, (hit) => hit.text, { flexible: true }),
  command: text(words('READ IT WITH'), 1, ({ command: shows }) => shows),
}

export const docsCommand = command({
  name: 'docs',
  readOnly: true,
  output: { view: hitView, many: true },
  summary: fillTemplate(words('Print a reference page as Markdown, or search all of them: {topics}'), {
    topics: joinList(referenceTopics),
  }),
  details: concatTexts([
    words('Examples:'),
    asUntranslatedText('  weir docs settings'),
    asUntranslatedText('  weir docs commands channels'),
    asUntranslatedText('  weir docs --search "retry"'),
    asUntranslatedText('  weir docs commands --search topup'),
    asUntranslatedText('  weir docs man ~/.local/share/man/man1'),
  ]),
  arguments: {
    topic: { spec: '[topic]', help: words('the page; without it the list of pages') },
    noun: {
      spec: '[noun]',
      help: words('for commands a noun, such as channels; for man the folder that receives the manual pages'),
    },
  },
  options: {
    search: {
      flag: '--search <words>',
      help: words('the lines that have all these words, in either language, of this page or of all'),
    },
  },
  async run(context) {
    const { print, args, options, commands, language } = context
    const { topic, noun } = args
    const { search } = options
    if (topic === MAN) return writeManFolder(noun, context)
    if (topic !== undefined && !(referenceTopics as readonly string[]).includes(topic))
      throw new UsageError(
        fillTemplate(words('Unknown page {topic}: choose one of {topics}.'), {
          topic,
          topics: joinList(referenceTopics),
        }),
      )
    const { referencePages: pages } = await import('../reference/index.ts')
    const chosen = pages.filter((page) => topic === undefined || page.topic === topic)
    if (search !== undefined) {
      if (search.trim() === '') throw new UsageError(words('--search needs a word.'))
      const { searchReferencePages: searchPages } = await import('../reference/search.ts')
      return print.list(searchPages(chosen, search, commands, language), hitView, {
        empty: fillTemplate(words('No page has "{search}".'), { search }),
      })
    }
    if (noun !== undefined) {
      if (topic !== 'commands') throw new UsageError(words('Only the page of commands has a page for each noun.'))
      const { writeNounPage } = await import('../reference/commands.ts')
      const markdown = writeNounPage(findNoun(commands, noun), language)
      return print.text(markdown, { topic, noun, markdown })
    }
    const [page] = chosen
    if (topic === undefined || !page) return print.list(chosen, pageView)
    const markdown = page.write(commands, language)
    await print.text(markdown, { topic: page.topic, markdown })
  },
})

const manFolderView: OutputView<{ folder: string; files: readonly string[] }> = {
  folder: text(words('FOLDER'), 1, ({ folder }) => folder),
  files: list(words('FILES'), 1, ({ files }) => files, { flexible: true }),
}

/** The topic that writes the manual pages instead of printing a page. */
const MAN = 'man'

/** Returns the top-level command of a name, also in the singular. @throws UsageError with similar names */
function findNoun(commands: readonly CommandEntry[], noun: string): CommandEntry {
  const found = commands.find(({ name }) => name === noun) ?? commands.find(({ name }) => findSingular(name) === noun)
  if (found) return found
  const problem = fillTemplate(words('Unknown noun {noun}: `weir --help` lists them.'), { noun })
  throw new UsageError(
    suggestNames(
      problem,
      noun,
      commands.map(({ name }) => name),
    ),
  )
}

/** Writes the manual pages to a folder. @throws UsageError without a folder */
async function writeManFolder(
  folder: string | undefined,
  { commands, version, print }: Pick<CommandEnvironment, 'commands' | 'version' | 'print'>,
): Promise<void> {
  if (folder === undefined) throw new UsageError(words('Give the folder that receives the manual pages.'))
  const { writeManPages } = await import('../reference/man.ts')
  const pages = writeManPages(commands, version)
  mkdirSync(folder, { recursive: true })
  for (const { file, text: roff } of pages) writeFileSync(path.join(folder, file), roff)
  const row = { folder, files: pages.map(({ file }) => file) }
  await print.done(row, manFolderView, {
    human: fillTemplate(words('{count} manual pages are in {folder}.'), { count: pages.length, folder }),
    quietOutput: folder,
  })
}
