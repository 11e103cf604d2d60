using Polyjuice.Publishing;

namespace Polyjuice.Tests.Publishing;

/// <summary>A place that somebody meddles with.</summary>
internal sealed class TamperedEntries : IPolicyEntries
{
    private readonly Dictionary<int, byte[]?> _changed = [];

    public MemoryPolicyEntries Inner { get; } = new();

    public List<int> Reads { get; } = [];

    /// <summary>Comes in between, once.</summary>
    public Func<Task>? BeforeCreate { get; set; }

    /// <summary>As if a repeated request had found its own entry.</summary>
    public bool AnswersNo { get; set; }

    /// <summary>The number of an entry that is too long to be one.</summary>
    public int TooLong { get; set; }

    /// <summary>What every call throws, if set.</summary>
    public Exception? Failure { get; set; }

    public string Location => "here";

    public void Put(int number, byte[] content) => _changed[number] = content;

    public byte[] Take(int number)
    {
        var content = _changed.GetValueOrDefault(number) ?? Inner.ReadAsync(number, default).Result!;
        _changed[number] = null;
        return content;
    }

    public async ValueTask<int> GetLastAsync(CancellationToken cancellationToken)
    {
        if (Failure is { } failure) throw failure;
        var last = Math.Max(await Inner.GetLastAsync(cancellationToken), _changed.Keys.Append(TooLong).Max());
        while (_changed.TryGetValue(last, out var content) && content is null) last--;
        return last;
    }

    public ValueTask<byte[]?> ReadAsync(int number, CancellationToken cancellationToken)
    {
        if (Failure is { } failure) throw failure;
        Reads.Add(number);
        if (number == TooLong) throw new InvalidDataException("It is too long.");
        return _changed.TryGetValue(number, out var content)
            ? new(content)
            : Inner.ReadAsync(number, cancellationToken);
    }

    public async ValueTask<bool> CreateAsync(
        int number, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        if (Failure is { } failure) throw failure;
        if (BeforeCreate is { } before)
        {
            BeforeCreate = null;
            await before();
        }

        return await Inner.CreateAsync(number, content, cancellationToken) && !AnswersNo;
    }

    public IDisposable Watch(Action changed) => Inner.Watch(changed);
}
