namespace Polyjuice.Orleans.Silos;

/// <inheritdoc/>
internal sealed class GrainLoading : IGrainLoading
{
    /// <inheritdoc/>
    public Task Load() => Task.CompletedTask;
}
