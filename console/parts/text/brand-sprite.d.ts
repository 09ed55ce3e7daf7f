// The picture with all marks of providers, which the build makes: brand-sprite.ts.
declare module 'virtual:brand-sprite' {
  const address: string
  export default address
}
