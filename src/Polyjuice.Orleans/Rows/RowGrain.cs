using Orleans.Runtime;

namespace Polyjuice.Orleans.Rows;

/// <summary>
/// The grain that a row belongs to. Nearly all participants in a row name it, so that it is made once.
/// </summary>
/// <param name="Name">Its identity as text.</param>
/// <param name="Reference">A reference to it.</param>
internal readonly record struct RowGrain(string Name, GrainReference Reference);
