import { hash32, hashUniform } from "../../kernel/random.ts";
import { type AnswerKind, spanOf } from "./answer-kind.ts";
import { BoundedCache } from "./bounded-cache.ts";
import type { Question } from "./question.ts";
import { Sentence } from "./sentences.ts";

/**
 * All that the surrogate knows of the world without the web: public facts that nearly everybody could look up, a
 * sentence each, read by the same rules as pages. A profile's `parametric-knowledge` says which share of them it knows.
 * It can answer nothing from memory that does not stand here.
 */
const facts = `
The capital of France is Paris.
The capital of Germany is Berlin.
The capital of Italy is Rome.
The capital of Spain is Madrid.
The capital of Portugal is Lisbon.
The capital of Austria is Vienna.
The capital of Poland is Warsaw.
The capital of Greece is Athens.
The capital of Norway is Oslo.
The capital of Sweden is Stockholm.
The capital of Denmark is Copenhagen.
The capital of Finland is Helsinki.
The capital of Ireland is Dublin.
The capital of Hungary is Budapest.
The capital of Japan is Tokyo.
The capital of China is Beijing.
The capital of India is New Delhi.
The capital of Egypt is Cairo.
The capital of Kenya is Nairobi.
The capital of Canada is Ottawa.
The capital of Australia is Canberra.
The capital of Brazil is Brasilia.
The capital of Argentina is Buenos Aires.
The capital of Mexico is Mexico City.
The capital of the United States is Washington.
The largest ocean on Earth is the Pacific Ocean.
The largest planet of the solar system is Jupiter.
The planet closest to the Sun is Mercury.
The planet known as the red planet is Mars.
The highest mountain on Earth is Mount Everest.
The longest river of Africa is the Nile.
The largest animal on Earth is the blue whale.
The fastest land animal is the cheetah.
The tallest animal on land is the giraffe.
The chemical symbol of gold is Au.
The chemical symbol of silver is Ag.
The chemical symbol of iron is Fe.
The chemical symbol of sodium is Na.
The chemical formula of water is H2O.
The lightest chemical element is hydrogen.
The most abundant gas in the air is nitrogen.
The gas that plants take in from the air to grow is carbon dioxide.
The hardest natural mineral is diamond.
The metal that is liquid at room temperature is mercury.
Water boils at 100 degrees Celsius at sea level.
Water freezes at a temperature of 0 degrees Celsius.
A spider has 8 legs.
An insect has 6 legs.
A leap year has 366 days.
A week has 7 days.
An hour has 60 minutes.
A triangle has 3 sides.
A hexagon has 6 sides.
An octopus has 8 arms.
A chess board has 64 squares.
A football team has 11 players on the pitch.
A marathon is 42.195 kilometres long.
The adult human body has 206 bones.
The human heart has 4 chambers.
A standard piano has 88 keys.
A violin has 4 strings.
The solar system has 8 planets.
The Olympic flag has 5 rings.
The first person on the Moon was Neil Armstrong.
The first person in space was Yuri Gagarin.
The theory of relativity was developed by Albert Einstein.
The law of gravitation was stated by Isaac Newton.
The theory of evolution by natural selection was proposed by Charles Darwin.
Penicillin was discovered by Alexander Fleming.
Radium was discovered by Marie Curie.
The telephone was patented by Alexander Graham Bell.
The play Hamlet was written by William Shakespeare.
The play Romeo and Juliet was written by William Shakespeare.
The novel Don Quixote was written by Miguel de Cervantes.
The novel War and Peace was written by Leo Tolstoy.
The novel Pride and Prejudice was written by Jane Austen.
The novel Frankenstein was written by Mary Shelley.
The painting Mona Lisa was painted by Leonardo da Vinci.
The painting The Starry Night was painted by Vincent van Gogh.
The painting Guernica was painted by Pablo Picasso.
The opera The Magic Flute was composed by Wolfgang Amadeus Mozart.
The Ninth Symphony with the Ode to Joy was composed by Ludwig van Beethoven.
The first Moon landing took place in 1969.
The Berlin Wall fell in 1989: the year of the fall of the Berlin Wall.
The First World War began in 1914.
The First World War ended in 1918.
The Second World War ended in 1945.
The French Revolution began in 1789.
Columbus reached the Americas in 1492.
The Battle of Hastings took place in 1066.
The Titanic sank in 1912.
The Declaration of Independence of the United States was signed in 1776.
The currency of Japan is the yen.
The currency of the United Kingdom is the pound.
The currency of India is the rupee.
The language of Brazil is Portuguese.
The language of Austria is German.
The Eiffel Tower stands in Paris.
The Colosseum stands in Rome.
The Statue of Liberty stands in New York.
The Great Pyramid stands in Egypt.
The organ that pumps blood is the heart.
The largest organ of the human body is the skin.
Vitamin C deficiency causes scurvy.
The study of birds is called ornithology.
The study of earthquakes is called seismology.
Bees make honey.
Bread dough rises because of yeast.
Guacamole is made of avocado.
Hummus is made of chickpeas.
Tofu is made of soybeans.
An ordinary year has 365 days.
A full day has 24 hours.
A minute has 60 seconds.
A year has 12 months.
A century has 100 years.
A decade has 10 years.
April has 30 days.
The shortest month of the year is February.
The planet that people live on is the Earth.
Around the sun go 8 planets.
The name of the star at the centre of our solar system is the Sun.
The natural satellite that circles the Earth is the Moon.
The element with the symbol O is oxygen.
The chemical symbol for gold is Au.
Frozen water is called ice.
An insect's legs: insects have 6 legs.
The largest living animal is the blue whale.
The tallest land animal is the giraffe.
The fastest animal on land is the cheetah.
From nectar bees make honey.
A caterpillar turns into a butterfly.
A young dog is called a puppy.
A young cat is called a kitten.
The animal that gives wool is the sheep.
Mixing blue and yellow paint you get the colour green.
Mixing red and white paint gives the colour pink.
In a rainbow 7 colours are usually counted.
The city that is the capital of the United Kingdom is London.
The pyramids of Giza stand in the country Egypt.
The highest mountain above sea level is Mount Everest.
The continent that Brazil lies on is South America.
The continents usually counted are 7 continents.
The country shaped like a boot is Italy.
The river that flows through London is the Thames.
The river that flows through Paris is the Seine.
Romeo and Juliet was written by William Shakespeare, who wrote it for the stage.
The Mona Lisa was painted by Leonardo da Vinci.
The theory of general relativity was formulated by Albert Einstein.
The English alphabet has 26 letters.
The first letter of the alphabet, the letter that comes first, is A.
A right angle has 90 degrees.
Seven times eight is 56.
The square root of 81 is 9.
A dozen are 12 items.
A kilometre has 1000 metres.
A metre has 100 centimetres.
A kilogram has 1000 grams.
A football or soccer team has 11 players on the pitch.
A chessboard has 64 squares.
One hand has 5 fingers, the thumb included.
The organ that pumps blood through the body is the heart.
The organ that people breathe with is the lungs.
A doctor who treats teeth is called a dentist.
The sun rises in the direction east.
The season that follows winter is spring.
The fruit that cider is made from is apples.
The fruit that wine is made from is grapes.
The main ingredient of bread is flour.
The bird that is a symbol of peace is the dove.
The currency used in Japan is the yen.
The language mainly spoken in Brazil is Portuguese.
The letters WWW stand for World Wide Web.
The Second World War came to its end in the year 1945.
`;

/** Facts and questions meet on all their telling words, or nearly: less would be mistaken for another fact. */
const nearlyAll = 0.8;
const whoKnows = hash32("who knows");

const sentences = facts
  .trim()
  .split("\n")
  .map((line) => new Sentence(line));

const matches = new BoundedCache<Question, Sentence | null>(4096);

/** What is known of a question without the web; null for nothing. The same facts are known always. */
export function recall(question: Question, kind: AnswerKind, share: number): string | null {
  const fact = matches.get(question, factFor);
  if (fact === null || hashUniform(whoKnows, fact.key) >= share) return null;
  return spanOf(fact, question, kind);
}

function factFor(question: Question): Sentence | null {
  let best: Sentence | null = null;
  let bestMatch = nearlyAll;
  for (const sentence of sentences) {
    const match = sentence.relevanceTo(question);
    if (match >= bestMatch && (best === null || match > bestMatch)) {
      best = sentence;
      bestMatch = match;
    }
  }
  return best;
}

/** Any known thing of a kind: a guess. */
export function somethingKnown(question: Question, kind: AnswerKind, seed: number): string | null {
  const start = Math.floor(hashUniform(seed, whoKnows) * sentences.length);
  const order = [...sentences.slice(start), ...sentences.slice(0, start)];
  for (const sentence of order) {
    const text = spanOf(sentence, question, kind);
    if (text !== null) return text;
  }
  return null;
}
