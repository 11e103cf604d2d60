namespace Polyjuice.Training.Search;

/// <summary>Guesses how a table will do from those that were replayed. Immutable.</summary>
internal interface ISurrogate
{
    /// <summary>
    /// What a table is expected to come to, in shares of the reference's worth, and the standard deviation of that.
    /// </summary>
    /// <param name="candidate">Of the space that it has learned on.</param>
    (double Mean, double Deviation) Guess(Candidate candidate);
}
