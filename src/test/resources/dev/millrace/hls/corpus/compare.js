// The same as compare.py, as m3u8-parser reads both.
// Usage: node compare.js PARSER ORIGINALS REWRITTEN LIST
const fs = require('fs');
const vm = require('vm');

const [program, originals, rewritten, listed] = process.argv.slice(2);
globalThis.window = globalThis;
vm.runInThisContext(fs.readFileSync(program, 'utf8'));

const LINK = /^http:\/\/proxy\.test\/\?kind=(\w+)&d=([A-Za-z0-9%._~-]*)$/;
let addresses = 0;

function variables(text, base) {
  const found = {};
  for (const [, line] of text.matchAll(/^#EXT-X-DEFINE:(.*?)\r?$/gm)) {
    const attributes = Object.fromEntries([...line.matchAll(/([A-Z]+)="([^"]*)"/g)].map(m => [m[1], m[2]]));
    const parameter = new URL(base).searchParams.get(attributes.QUERYPARAM);
    if ('VALUE' in attributes) found[attributes.NAME] = attributes.VALUE;
    else if (parameter !== null) found[attributes.QUERYPARAM] = parameter;
  }
  return found;
}

function parsed(text) {
  const parser = new m3u8Parser.Parser();
  parser.push(text);
  parser.end();
  return JSON.parse(JSON.stringify(parser.manifest));
}

function proxied(before, after, context) {
  const address = before.replace(/\{\$([\w-]+)\}/g, (all, name) => context.variables[name] ?? all);
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(address);
  if (!address || (scheme && !/^https?$/i.test(scheme[1]))) {
    return before === after ? '' : `${before} became ${after}`;
  }
  addresses++;
  const link = LINK.exec(after);
  if (!link) return `${before} is not proxied: ${after}`;
  const expected = new URL(address, context.base).href;
  const got = new URL(decodeURIComponent(link[2])).href;
  return got === expected ? '' : `${before} is ${got}, expected ${expected}`;
}

function different(before, after, context, where) {
  if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null) {
    return before === after ? '' : `${where}: ${before} became ${after}`;
  }
  if (Object.keys(before).join() !== Object.keys(after).join()) return `${where}: other names`;
  for (const name of Object.keys(before)) {
    const isAddress = /^(uri|serverUri)$/i.test(name) && typeof before[name] === 'string';
    const problem = isAddress
      ? proxied(before[name].trim(), after[name], context)
      : different(before[name], after[name], context, name);
    if (problem) return problem;
  }
  return '';
}

function compared(path, base) {
  const before = fs.readFileSync(`${originals}/${path}`, 'utf8');
  const context = {base, variables: variables(before, base)};
  let original;
  try {
    original = parsed(before);
  } catch (failure) {
    return `unreadable: ${failure.name}`;
  }
  return different(original, parsed(fs.readFileSync(`${rewritten}/${path}`, 'utf8')), context, '');
}

for (const line of fs.readFileSync(listed, 'utf8').split('\n').filter(Boolean)) {
  const [path, base] = line.split('\t');
  const problem = compared(path, base);
  if (problem) console.log(`${path}\t${problem}`);
}
console.log(`addresses\t${addresses}`);
