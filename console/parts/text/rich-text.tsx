// Text of the operator, as Markdown or HTML. It is parsed into an inert document and rebuilt element by element from an
// allowlist, so that nothing in it can run.
import { createElement, Fragment, useMemo, type ReactNode } from 'react'
import { markdownToHtml } from './markdown.ts'

const plain =
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li strong b em i u s del code pre blockquote div span center small sub sup'
const ALLOWED = new Set(
  `${plain} table thead tbody tr th td a img details summary section article header footer`.split(' '),
)
const DROPPED = new Set([
  'script',
  'style',
  'iframe',
  'object',
  'embed',
  'template',
  'noscript',
  'svg',
  'math',
  'title',
])

export function RichContent({ source }: { source: string }) {
  const content = useMemo(() => {
    const parsed = new DOMParser().parseFromString(markdownToHtml(source), 'text/html')
    return children(parsed.body)
  }, [source])
  return <div className="rich-text">{content}</div>
}

const children = (parent: Node): ReactNode[] => [...parent.childNodes].map((node, index) => rebuild(node, index))

function rebuild(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (DROPPED.has(name)) return null
  if (!ALLOWED.has(name)) return createElement(Fragment, { key }, ...children(node))
  const inside = name === 'br' || name === 'hr' || name === 'img' ? [] : inner(node, name)
  return createElement(name, { key, ...attributes(node, name) }, ...inside)
}

/** React warns about white space between the rows of a table. */
const inner = (node: Element, name: string) =>
  ['table', 'thead', 'tbody', 'tr'].includes(name)
    ? children(node).filter((child) => typeof child !== 'string')
    : children(node)

function attributes(node: Element, name: string): Record<string, string> {
  if (name === 'a') {
    const href = safeAddress(node.getAttribute('href'), ['http:', 'https:', 'mailto:'])
    return href ? { href, target: '_blank', rel: 'noreferrer noopener' } : {}
  }
  if (name === 'img') {
    const src = safeAddress(node.getAttribute('src'), ['https:'])
    return { alt: node.getAttribute('alt') ?? '', ...(src ? { src, loading: 'lazy' } : {}) }
  }
  return {}
}

function safeAddress(text: string | null, protocols: string[]): string | null {
  if (!text || !URL.canParse(text, document.baseURI)) return null
  const url = new URL(text, document.baseURI)
  return protocols.includes(url.protocol) || url.origin === window.location.origin ? url.href : null
}
