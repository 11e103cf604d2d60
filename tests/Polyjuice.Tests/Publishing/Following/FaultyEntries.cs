using Polyjuice.Publishing;

namespace Polyjuice.Tests.Publishing.Following;

/// <summary>A place that fails as told.</summary>
internal sealed class FaultyEntries : IPolicyEntries
{
    private MemoryPolicyEntries _inner = new();

    public bool IsAway { get; set; }

    /// <summary>Nobody may write.</summary>
    public bool IsReadOnly { get; set; }

    public HashSet<int> Missing { get; } = [];

    public string Location => "the place";

    /// <summary>An entry is gone for good, and its number is free again.</summary>
    public void Lose(int number)
    {
        var rest = new MemoryPolicyEntries();
        for (var other = _inner.GetLastAsync(default).Result; other > 0; other--)
        {
            if (other != number && _inner.ReadAsync(other, default).Result is { } content)
                rest.CreateAsync(other, content, default).AsTask().Wait();
        }

        _inner = rest;
    }

    public async ValueTask<int> GetLastAsync(CancellationToken cancellationToken)
    {
        RequireThere();
        var last = await _inner.GetLastAsync(cancellationToken);
        while (Missing.Contains(last)) last--;
        return last;
    }

    public ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken)
    {
        RequireThere();
        return Missing.Contains(number) ? new((byte[]?)null) : _inner.ReadAsync(number, cancellationToken);
    }

    public ValueTask<bool> CreateAsync(int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        RequireThere();
        if (IsReadOnly) throw new UnauthorizedAccessException("Read-only file system.");
        return _inner.CreateAsync(number, content, cancellationToken);
    }

    public IDisposable Watch(Action changed) => _inner.Watch(changed);

    private void RequireThere()
    {
        if (IsAway) throw new IOException("It is away.");
    }
}
