namespace Polyjuice.Simulation.Specification.State;

/// <summary>What was found out of a transaction in the course of one question. Another question begins anew.</summary>
/// <param name="Question">The number of the question.</param>
/// <param name="Answer">What was found out.</param>
internal readonly record struct QuestionAnswer(long Question, bool Answer);
