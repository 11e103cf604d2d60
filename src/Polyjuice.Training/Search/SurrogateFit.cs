namespace Polyjuice.Training.Search;

/// <summary>Makes a surrogate of what was replayed. The same gives the same.</summary>
/// <param name="space">Whose tables.</param>
/// <param name="seen">At least two.</param>
/// <param name="noise">The standard deviation of one replay, in shares of the reference's worth.</param>
internal delegate ISurrogate SurrogateFit(TableSpace space, IReadOnlyList<Standing> seen, double noise);
