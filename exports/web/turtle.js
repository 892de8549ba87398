// What is shown as RDF 1.1 Turtle in the words of the ontology, the evidence as citations (blank nodes, since
// their names are not known here).

const CLASSES = { card: "Card", token: "Token", face: "Face", ability: "Ability", keyword: "Keyword", rule: "Rule", term: "Term", type: "Type", tag: "Concept" };
const PROPERTIES = {
  has_face: "mtg:hasFace", part_of: "mtg:partOf", has_type: "mtg:hasType", parent: "skos:broader", refers_to: "mtg:refersTo",
  defined_by: "mtg:definedBy", see: "rdfs:seeAlso", has_keyword: "mtg:hasKeyword", grants_keyword: "mtg:grantsKeyword",
  loses_keyword: "mtg:losesKeyword", mentions_keyword: "mtg:mentionsKeyword",
};

/** `about` has the prefixes, the title and the release; `nodes` and `edges` are lists of the model's. */
export function turtle(about, nodes, edges) {
  const used = new Set();
  const name = (id) => {
    const prefix = id.slice(0, id.indexOf(":"));
    const local = id.slice(prefix.length + 1);
    if (about.prefixes[prefix] && /^[\w:](?:[\w.:-]*[\w:-])?$/.test(local)) {
      used.add(prefix);
      return id;
    }
    const iri = id.startsWith("<") ? id.slice(1, -1) : (about.prefixes[prefix] ?? "urn:x:") + local;
    return `<${iri.replace(/[\u0000-\u0020<>"{}|^`\\]/g, (sign) => `%${sign.codePointAt(0).toString(16).padStart(2, "0").toUpperCase()}`)}>`;
  };
  const kinds = new Map(nodes.map(({ id, kind }) => [id, kind]));
  const lines = [];
  for (const { id, label, heading, words } of nodes) {
    const kind = id.slice(0, id.indexOf(":"));
    const type = CLASSES[kind] ? ` a ${name(kind === "tag" ? "skos:Concept" : `mtg:${CLASSES[kind]}`)} ;` : "";
    lines.push(`${name(id)}${type} ${name("rdfs:label")} ${quoted((kind === "ability" ? words || label : heading || label).replace(/\s+/g, " "))} .`);
  }
  for (const { from, to, relation, evidence } of edges) {
    lines.push(`${tie(from, to, relation, kinds, name)} .`);
    for (const piece of evidence) {
      const number = /^\S+/.exec(piece.rule ?? "")?.[0];
      const rule = kinds.get(to) === "rule" ? to : number && `rule:${number}`;
      if (!rule) continue;
      const holder = piece.ability ?? (kinds.get(from) === "card" ? "" : from);
      const of = holder.startsWith("ability:") ? "mtg:ability" : "mtg:face";
      const said = [
        [name("mtg:rule"), name(rule)],
        holder && [name(of), name(holder)],
        [name("mtg:relation"), quoted(relation)],
        [name("mtg:quote"), quoted(piece.quote)],
        of === "mtg:face" && holder && [name("mtg:field"), quoted(piece.field)],
        [name("mtg:start"), String(Math.trunc(piece.start))],
        [name("mtg:end"), String(Math.trunc(piece.end))],
        piece.entry && [name("mtg:entry"), name(`entry:${piece.entry}`)],
      ].filter(Boolean);
      lines.push(`[] a ${name("mtg:Citation")} ;\n${said.map(([property, value]) => `  ${property} ${value}`).join(" ;\n")} .`);
    }
  }
  const heading = [`# ${about.title.replace(/\s+/g, " ")}`, `# Rule numbers of the Comprehensive Rules effective ${about.release.replace(/\s+/g, " ")}.`];
  const prefixes = Object.entries(about.prefixes).filter(([prefix]) => used.has(prefix)).map(([prefix, iri]) => `@prefix ${prefix}: <${iri}> .`);
  return `${[...heading, ...prefixes, "", ...lines].join("\n")}\n`;
}

/** An edge as a statement; where it skips the face of a card, with the face. */
function tie(from, to, relation, kinds, name) {
  if (relation === "has_ability" && kinds.get(from) === "card") {
    const face = `face:${to.slice(to.indexOf(":") + 1).replace(/\.[^.]*$/, "")}`;
    return `${name(from)} ${name("mtg:hasFace")} ${name(face)} .\n${name(face)} ${name("mtg:hasAbility")} ${name(to)}`;
  }
  if (relation === "has_type" && kinds.get(from) === "card") return `${name(from)} ${name("mtg:hasFace")} [ ${name("mtg:hasType")} ${name(to)} ]`;
  if (relation === "variant_of") return `${name(from)} ${name(kinds.get(from) === "type" ? "mtg:subtypeOf" : "skos:broader")} ${name(to)}`;
  const camel = relation.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase());
  const plainly = kinds.get(from) === "card" ? "mtg:citesRule" : `mtg:invokesAs${camel}`;
  const property = PROPERTIES[relation] ?? (relation === "has_ability" ? "mtg:hasAbility" : plainly);
  return `${name(from)} ${name(property)} ${name(to)}`;
}

/** A string of Turtle 1.1, section 2.5.1. */
function quoted(text) {
  const escapes = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  return `"${String(text).replace(/[\\"\n\r\t]/g, (sign) => escapes[sign])}"`;
}
