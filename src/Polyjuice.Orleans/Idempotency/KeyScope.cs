using RequestContext = Orleans.Runtime.RequestContext;

namespace Polyjuice.Orleans.Idempotency;

/// <summary>Where a key is ambient.</summary>
/// <param name="before">The key that was ambient before.</param>
internal sealed class KeyScope(string? before) : IDisposable
{
    private bool _isOver;

    /// <inheritdoc/>
    public void Dispose()
    {
        if (_isOver) return;
        _isOver = true;
        if (before is null) RequestContext.Remove(IdempotencyKey.Key);
        else RequestContext.Set(IdempotencyKey.Key, before);
    }
}
