namespace Polyjuice.Orleans.Rows;

/// <summary>The rows of one activation, which it carries.</summary>
internal sealed class GrainRows : List<GrainRow>;
