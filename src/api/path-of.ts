/** The path of a request without its query, which may hold what is nobody's business. */
export function pathOf(request: { readonly url: string }): string {
  const [path = '/'] = request.url.split(/[?#;]/, 1);
  // A client that takes us for a proxy sends the whole address.
  return path.replace(/^https?:\/\/[^/]*/i, '') || '/';
}
