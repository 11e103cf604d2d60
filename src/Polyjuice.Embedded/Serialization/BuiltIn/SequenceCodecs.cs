using System.Collections.Immutable;
using System.Runtime.InteropServices;

namespace Polyjuice.Embedded.Serialization;

internal sealed class QueueCodec<T>(CodecProvider provider) : SequenceCodec<Queue<T>, T>(provider)
{
    protected override Queue<T> Make(T[] items, Queue<T>? original) => new(items);

    protected override int Count(Queue<T> value) => value.Count;
}

internal sealed class StackCodec<T>(CodecProvider provider) : SequenceCodec<Stack<T>, T>(provider)
{
    // A stack lists its top first and is made bottom first.
    protected override Stack<T> Make(T[] items, Stack<T>? original)
    {
        Array.Reverse(items);
        return new(items);
    }

    protected override int Count(Stack<T> value) => value.Count;
}

internal sealed class ImmutableArrayCodec<T>(CodecProvider provider) : SequenceCodec<ImmutableArray<T>, T>(provider)
{
    public override bool IsImmutable => AreItemsImmutable;

    protected override ImmutableArray<T> Make(T[] items, ImmutableArray<T> original) => ImmutableCollectionsMarshal.AsImmutableArray(items);

    protected override int Count(ImmutableArray<T> value) => value.Length;

    protected override bool IsNull(ImmutableArray<T> value) => value.IsDefault;
}

internal sealed class ImmutableListCodec<T>(CodecProvider provider) : SequenceCodec<ImmutableList<T>, T>(provider)
{
    public override bool IsImmutable => AreItemsImmutable;

    protected override ImmutableList<T> Make(T[] items, ImmutableList<T>? original) => [.. items];

    protected override int Count(ImmutableList<T> value) => value.Count;
}

internal sealed class ImmutableQueueCodec<T>(CodecProvider provider) : SequenceCodec<ImmutableQueue<T>, T>(provider)
{
    public override bool IsImmutable => AreItemsImmutable;

    protected override ImmutableQueue<T> Make(T[] items, ImmutableQueue<T>? original) => ImmutableQueue.Create(items);

    protected override int Count(ImmutableQueue<T> value) => value.Count();
}

internal sealed class ImmutableStackCodec<T>(CodecProvider provider) : SequenceCodec<ImmutableStack<T>, T>(provider)
{
    public override bool IsImmutable => AreItemsImmutable;

    protected override ImmutableStack<T> Make(T[] items, ImmutableStack<T>? original)
    {
        Array.Reverse(items);
        return ImmutableStack.Create(items);
    }

    protected override int Count(ImmutableStack<T> value) => value.Count();
}
