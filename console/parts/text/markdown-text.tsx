import { useText } from '../../data/texts.tsx'

// Text that a model wrote, as Markdown. HTML in it is shown as text, code is highlighted, and external pictures are
// fetched only on request, because an address can leak the conversation to its owner. It is large: load it with `lazy`.
import { Children, isValidElement, useEffect, useState, type ComponentProps, type ReactNode } from 'react'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import Markdown, { defaultUrlTransform, type Components } from 'react-markdown'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import { Button } from '../../semi.ts'
import { CodeBlock } from './code-block.tsx'
import './markdown-text.css'

/** Reads tables, task lists and bare links. remark-gfm does the same, and brings code that writes Markdown. */
function readGithubMarkdown(this: { data(): object }): void {
  const data: { micromarkExtensions?: unknown[]; fromMarkdownExtensions?: unknown[] } = this.data()
  data.micromarkExtensions = [...(data.micromarkExtensions ?? []), gfm()]
  data.fromMarkdownExtensions = [...(data.fromMarkdownExtensions ?? []), gfmFromMarkdown()]
}

type Highlight = typeof import('rehype-highlight').default

export function MarkdownMessage({ source }: { source: string }) {
  const highlight = useHighlight(source)
  return (
    <div className="rich-text markdown-text">
      <Markdown
        remarkPlugins={[readGithubMarkdown]}
        rehypePlugins={highlight ? [[rehypeSanitize, SCHEMA], highlight] : [[rehypeSanitize, SCHEMA]]}
        urlTransform={(url) => (OWN_PICTURE.test(url) ? url : defaultUrlTransform(url))}
        components={COMPONENTS}
      >
        {source}
      </Markdown>
    </div>
  )
}

const CODE = /^ *(?:```|~~~)/m

/** Returns the colors of programming languages, which are loaded for the first text that has code. */
function useHighlight(source: string): Highlight | undefined {
  const [highlight, setHighlight] = useState<Highlight>()
  const isNeeded = !highlight && CODE.test(source)
  useEffect(() => {
    // Code that cannot be highlighted is shown plain.
    if (isNeeded) import('rehype-highlight').then((file) => setHighlight(() => file.default)).catch(() => undefined)
  }, [isNeeded])
  return highlight
}

/** Sources that fetch nothing, and execute nothing inside an `img`. */
const OWN_PICTURE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,/i

const SCHEMA = {
  ...defaultSchema,
  protocols: { ...defaultSchema.protocols, src: ['http', 'https', 'data'] },
}

const COMPONENTS: Components = {
  a: ({ href, children }) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  img: ({ src, alt }) => <MessagePicture src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  input: ({ checked }) => <Task isDone={checked === true} />,
  pre: ({ children }) => <Code>{children}</Code>,
  table: ({ children }) => (
    <div className="markdown-table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
}

/** A picture of a message, shown at once if it is embedded, otherwise after a click. */
export function MessagePicture({ src, alt }: { src: string; alt: string }) {
  const t = useText()
  const [isRequested, setRequested] = useState(false)
  if (isRequested || OWN_PICTURE.test(src)) return <img src={src} alt={alt} referrerPolicy="no-referrer" />
  if (!/^https?:/.test(src)) return <span className="muted">{alt}</span>
  return (
    <Button size="small" theme="light" type="tertiary" data-tip={src} onClick={() => setRequested(true)}>
      {t('Show the picture from {host}', { host: new URL(src).host })}
    </Button>
  )
}

/** The checkbox of a task list. */
function Task({ isDone }: { isDone: boolean }) {
  const t = useText()
  return (
    <input
      type="checkbox"
      disabled
      checked={isDone}
      aria-label={isDone ? t('Done', { context: 'state' }) : t('To do')}
    />
  )
}

function Code({ children }: { children: ReactNode }) {
  const t = useText()
  const [code] = Children.toArray(children)
  const { className = '' } = isValidElement<ComponentProps<'code'>>(code) ? code.props : {}
  const language = /language-(\S+)/.exec(className)?.[1] ?? ''
  return (
    <CodeBlock label={t('code of the message')} head={language} text={collectText(code).replace(/\n$/, '')}>
      {code}
    </CodeBlock>
  )
}

function collectText(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(collectText).join('')
  return isValidElement<{ children?: ReactNode }>(node) ? collectText(node.props.children) : ''
}
