// Files of pictures, which Vite copies: the import is the address of the copy.
declare module '*.svg?no-inline' {
  const address: string
  export default address
}
